"""agno: the path of a call is `arun_function_calls` of its model. Its telemetry is off."""

from agno.agent import Agent
from agno.models.base import Model
from agno.models.message import Message
from agno.models.response import ModelResponse
from agno.tools.function import Function
from beside import CALL, add, numbers, sleep, wait
from clock import answers, tell


class Calling(Model):
    """Calls so many times, then ends."""

    def __init__(self, turns, calls=(CALL,)):
        super().__init__(id="calling")
        self.left, self.calls = turns, calls

    async def ainvoke(self, *args, **rest):
        self.left -= 1
        if self.left < 0:
            return ModelResponse(role="assistant", content="done")
        return ModelResponse(role="assistant", tool_calls=calls_of(self.calls, self.left))

    def invoke(self, *args, **rest):
        raise NotImplementedError

    invoke_stream = ainvoke_stream = _parse_provider_response = _parse_provider_response_delta = invoke


def calls_of(calls, turn):
    return [
        {"id": f"call_{turn}_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(calls)
    ]


def many(count):
    return [add, *(Function.from_callable(add, name=f"tool_{n}") for n in range(count - 1))]


async def play(steps, tools):
    answers((await Agent(model=Calling(steps), tools=many(tools), telemetry=False).arun("go")).content, "done")


async def turn(kind):
    tool = sleep if kind == "sync" else wait
    model = Calling(1, [(tool.__name__, "{}")] * 8)
    answers((await Agent(model=model, tools=[tool], telemetry=False).arun("go")).content, "done")


async def measured():
    model = Calling(0)
    function = Function.from_callable(add)
    function.process_entrypoint()

    async def call():
        message = Message(role="assistant", tool_calls=calls_of([CALL], 0))
        results = []
        calls = model.get_function_calls_to_run(message, results, {"add": function})
        async for _ in model.arun_function_calls(calls, results):
            pass
        answers(results[-1].content, "5")

    hundred = [Function.from_callable(add, name=f"tool_{n}") for n in range(100)]
    return await numbers(call, play, turn, lambda: model._format_tools(hundred))


if __name__ == "__main__":
    tell(measured)
