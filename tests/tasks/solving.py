"""A model that solves a task as a person would script it: each step is chosen from what the tools just said."""

import asyncio

from cellwright import Agent, Allow, Policy, ScriptedApprover, ScriptedModel, Turn
from cellwright.messages import ModelMessage, ToolMessage

MOST_TURNS = 30


def solved(steps, folder, tools):
    """Plays a generator that yields calls and is told their contents; what it returns is the answer.

    Edits of files run by themselves; whatever else is asked about the person allows. Returns the run, ended.
    """
    approver = ScriptedApprover([Allow()] * MOST_TURNS)
    agent = Agent(_model(steps), tools, cwd=folder, policy=Policy("accept_edits"), approver=approver)
    run = asyncio.run(_ended(agent))
    assert run.stop_reason == "answered", (run.stop_reason, [result.content for result in run.results])
    return run


async def _ended(agent):
    run = agent.start("Solve it.")
    await asyncio.wait_for(run.wait(), 120)
    return run


def _model(steps):
    def turn(conversation):
        told = [message.content for message in _since_last_turn(conversation)]
        try:
            return Turn(calls=steps.send(told or None))
        except StopIteration as end:
            return end.value

    return ScriptedModel([turn] * MOST_TURNS)


def _since_last_turn(conversation):
    turns = [place for place, message in enumerate(conversation) if isinstance(message, ModelMessage)]
    new = conversation[turns[-1] :] if turns else []
    return [message for message in new if isinstance(message, ToolMessage)]
