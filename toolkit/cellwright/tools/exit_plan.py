"""`exit_plan`: the end of plan mode, which a person decides.

In plan mode an agent only looks. When it knows what to do, it presents the plan with this tool; the person reads it,
and their yes switches the run to a mode in which the plan can be carried out. Their no keeps plan mode, and the reason
goes to the model. The rule that must never break: no rule, grant, hook or mode gives this yes in place of a person.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from cellwright.calls.conditions import Conditions
from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.permission.decision import Mode
from cellwright.tool import Output, tool
from cellwright.views.view import Group, Markdown

NextMode = Literal["default", "accept_edits"]
MEANING: dict[NextMode, str] = {
    "default": "mode default: each change is asked about",
    "accept_edits": "mode accept_edits: edits of files in the working folder run without a question",
}


class Switch(Struct, frozen=True):
    """What a yes does to the conditions of the run: another mode."""

    mode: Mode

    def __call__(self, now: Conditions) -> Conditions:
        """The conditions in that mode; those of a run that is not in plan mode any more stay as they are."""
        return replace(now, policy=replace(now.policy, mode=self.mode)) if now.policy.mode == "plan" else now


def present_plan(args: JsonObject, env: Env) -> Group:
    """The plan, and what a yes to it means."""
    return Group(
        f"The plan; after a yes the run goes on in {MEANING[args.get('next_mode', 'default')]}",
        (Markdown(args["plan"]),),
    )


@tool(
    read_only=True,
    system=True,
    roles=("main",),
    modes=("plan",),
    always_asks=True,
    present_call=present_plan,
    origin="built-in",
)
def exit_plan(plan: Annotated[str, Field(min_length=1)], env: Env, next_mode: NextMode = "default") -> Output:
    """Present your plan to the person, and leave plan mode if they agree.

    Call it once you know what to do, alone in its turn. If they say no, you stay in plan mode and read why: look
    again, or change the plan.

    Args:
        plan: What you will do, step by step, with the files and commands concerned.
        next_mode: What to go on in; accept_edits means that edits of files are not asked about one by one.
    """
    content = f"The person agreed to the plan. The run is now in {MEANING[next_mode]}. Carry out the plan."
    return Output({"mode": next_mode}, content, Markdown(plan), context_change=Switch(next_mode))
