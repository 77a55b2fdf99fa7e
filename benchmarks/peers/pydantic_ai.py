"""pydantic-ai: the path of a call is that of its tool manager in a run that goes on."""

from beside import CALL, add, numbers, sleep, wait
from clock import answers, tell
from pydantic_ai import Agent, RunContext, Tool, UsageLimits
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.usage import RequestUsage

LIMITS = UsageLimits(request_limit=None)


class Calling(Model):
    """Calls so many times, then ends."""

    def __init__(self, turns, calls=(CALL,)):
        super().__init__()
        self.left, self.calls = turns, calls

    model_name, system = "calling", "none"

    async def request(self, messages, model_settings, model_request_parameters):
        self.left -= 1
        made = [ToolCallPart(name, args, f"call_{self.left}_{n}") for n, (name, args) in enumerate(self.calls)]
        return ModelResponse(made if self.left >= 0 else [TextPart("done")], usage=RequestUsage())


def many(count):
    return [Tool(add), *(Tool(add, name=f"tool_{n}") for n in range(count - 1))]


async def play(steps, tools):
    answers((await Agent(Calling(steps), tools=many(tools)).run("go", usage_limits=LIMITS)).output, "done")


async def turn(kind):
    tool = sleep if kind == "sync" else wait
    agent = Agent(Calling(1, [(tool.__name__, "{}")] * 8), tools=[tool])
    answers((await agent.run("go", usage_limits=LIMITS)).output, "done")


async def measured():
    found = {}

    async def probe(ctx: RunContext) -> str:
        """Measures from within a run."""
        manager = ctx.tool_manager

        async def call():
            answers(await manager.handle_call(ToolCallPart(*CALL, "call_1")), 5)

        definitions = (await manager_of_hundred()).tool_defs
        parameters = ModelRequestParameters(function_tools=definitions)
        model = Calling(0)
        found.update(await numbers(call, play, turn, lambda: model.prepare_request(None, parameters)))
        return "probed"

    async def manager_of_hundred():
        kept = {}

        async def keep(ctx: RunContext) -> str:
            """Keeps the manager."""
            kept["manager"] = ctx.tool_manager
            return "kept"

        await Agent(Calling(1, [("keep", "{}")]), tools=[keep, *many(99)]).run("go")
        return kept["manager"]

    await Agent(Calling(1, [("probe", "{}")]), tools=[probe, add]).run("go")
    return found


if __name__ == "__main__":
    tell(measured)
