"""openai-agents: the path of a call is `execute_function_tool_calls`. Its traces, which it sends away, are off."""

from agents import Agent, FunctionTool, ModelResponse, RunConfig, RunContextWrapper, RunHooks, Runner, Usage
from agents import function_tool as tool
from agents.models.interface import Model
from agents.run_internal.agent_bindings import bind_public_agent
from agents.run_internal.run_steps import ToolRunFunction
from agents.run_internal.tool_execution import execute_function_tool_calls
from beside import CALL, add, numbers, sleep, wait
from clock import answers, tell
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

UNTRACED = RunConfig(tracing_disabled=True)


class Calling(Model):
    """Calls so many times, then ends."""

    def __init__(self, turns, calls=(CALL,)):
        self.left, self.calls = turns, calls

    async def get_response(self, *args, tools=(), **rest):
        self.left -= 1
        made = [called(call, f"call_{self.left}_{n}") for n, call in enumerate(self.calls)]
        if self.left < 0:
            text = ResponseOutputText(text="done", type="output_text", annotations=[])
            made = [ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")]
        return ModelResponse(output=made, usage=Usage(), response_id=None)

    def stream_response(self, *args, **rest):
        raise NotImplementedError


def called(call, call_id):
    name, arguments = call
    return ResponseFunctionToolCall(name=name, arguments=arguments, call_id=call_id, type="function_call")


def many(count):
    return [tool(add), *(tool(add, name_override=f"tool_{n}") for n in range(count - 1))]


async def ran(model, tools, steps):
    agent = Agent("bench", model=model, tools=tools)
    answers((await Runner.run(agent, "go", max_turns=steps + 2, run_config=UNTRACED)).final_output, "done")


async def play(steps, tools):
    await ran(Calling(steps), many(tools), steps)


async def turn(kind):
    one = tool(sleep if kind == "sync" else wait)
    await ran(Calling(1, [(one.name, "{}")] * 8), [one], 1)


async def measured():
    one = tool(add)
    bindings = bind_public_agent(Agent("bench", tools=[one]))
    context = RunContextWrapper(None)

    async def call():
        runs = [ToolRunFunction(tool_call=called(CALL, "call_1"), function_tool=one)]
        results, _, _ = await execute_function_tool_calls(
            bindings=bindings, tool_runs=runs, hooks=RunHooks(), context_wrapper=context, config=UNTRACED
        )
        answers(results[0].output, 5)

    hundred = many(100)
    return await numbers(call, play, turn, lambda: [listed(each) for each in hundred])


def listed(each: FunctionTool):
    """A tool as the request for the model has it."""
    from agents.models.openai_responses import Converter

    return Converter.convert_tools([each], [])


if __name__ == "__main__":
    tell(measured)
