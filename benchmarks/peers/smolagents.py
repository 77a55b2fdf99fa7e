"""smolagents: a synchronous agent; it has no asynchronous tools. Its panels are not printed."""

import time

from beside import numbers
from clock import answers, tell
from smolagents import Tool, ToolCallingAgent
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
    get_tool_json_schema,
)

NUMBERS = {"a": {"type": "integer", "description": "One."}, "b": {"type": "integer", "description": "Other."}}


class Add(Tool):
    name, description, inputs, output_type = "add", "Adds.", NUMBERS, "integer"

    def forward(self, a, b):
        return a + b


class Sleep(Tool):
    name, description, inputs, output_type = "sleep", "Sleeps.", {}, "string"

    def forward(self):
        time.sleep(0.05)
        return "slept"


class Calling(Model):
    """Calls so many times, then ends."""

    def __init__(self, turns, calls=(("add", '{"a": 2, "b": 3}'),)):
        super().__init__(model_id="calling")
        self.left, self.calls = turns, calls

    def generate(self, messages, **rest):
        self.left -= 1
        calls = self.calls if self.left >= 0 else [("final_answer", '{"answer": "done"}')]
        made = [
            ChatMessageToolCall(ChatMessageToolCallFunction(name=name, arguments=arguments), f"call_{n}", "function")
            for n, (name, arguments) in enumerate(calls)
        ]
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=made)


def many(count):
    tools = [Add()]
    for number in range(count - 1):
        tool = Add()
        tool.name = f"tool_{number}"
        tools.append(tool)
    return tools


def agent(turns, tools, **calls):
    return ToolCallingAgent(tools=tools, model=Calling(turns, **calls), max_steps=turns + 2, verbosity_level=-1)


async def play(steps, tools):
    made = agent(steps, many(tools))
    answers(made.run("go"), "done")
    answers(len(made.memory.steps), steps + 2)


async def turn(kind):
    answers(agent(1, [Sleep()], calls=[("sleep", "{}")] * 8).run("go"), "done")


async def measured():
    one, hundred = agent(1, [Add()]), many(100)

    async def call():
        answers(one.execute_tool_call("add", {"a": 2, "b": 3}), 5)

    return await numbers(call, play, turn, lambda: [get_tool_json_schema(tool) for tool in hundred], "sync")


if __name__ == "__main__":
    tell(measured)
