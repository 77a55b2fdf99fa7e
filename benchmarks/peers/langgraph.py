"""langgraph with langchain: the path of a call is that of its tool node, with a runtime as the graph gives it."""

from beside import add, numbers, sleep, wait
from clock import answers, tell
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime


class Calling(BaseChatModel):
    """Calls so many times, then ends."""

    left: int
    calls: tuple = (("add", {"a": 2, "b": 3}),)

    @property
    def _llm_type(self):
        return "calling"

    def bind_tools(self, tools, **rest):
        for tool in tools:
            convert_to_openai_tool(tool)  # as every real model does at each turn
        return self

    def _generate(self, messages, stop=None, run_manager=None, **rest):
        self.left -= 1
        message = AIMessage("done") if self.left < 0 else calling(self.calls, self.left)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages, stop=None, run_manager=None, **rest):
        return self._generate(messages)


def calling(calls, turn):
    made = [{"name": name, "args": args, "id": f"call_{turn}_{n}"} for n, (name, args) in enumerate(calls)]
    return AIMessage("", tool_calls=made)


def many(count):
    tools = [StructuredTool.from_function(coroutine=add, name=f"tool_{n}") for n in range(count - 1)]
    return [StructuredTool.from_function(coroutine=add), *tools]


async def ran(agent, steps):
    found = await agent.ainvoke({"messages": "go"}, {"recursion_limit": 3 * steps + 10})
    answers(found["messages"][-1].content, "done")


async def play(steps, tools):
    await ran(create_agent(Calling(left=steps), many(tools)), steps)


async def turn(kind):
    tool = StructuredTool.from_function(sleep) if kind == "sync" else StructuredTool.from_function(coroutine=wait)
    await ran(create_agent(Calling(left=1, calls=((tool.name, {}),) * 8), [tool]), 1)


async def measured():
    node = ToolNode(many(1))
    config = {"configurable": {"__pregel_runtime": Runtime()}}

    async def call():
        found = await node.ainvoke({"messages": [calling([("add", {"a": 2, "b": 3})], 0)]}, config)
        answers(found["messages"][0].content, "5")

    hundred = many(100)
    return await numbers(call, play, turn, lambda: [convert_to_openai_tool(tool) for tool in hundred])


if __name__ == "__main__":
    tell(measured)
