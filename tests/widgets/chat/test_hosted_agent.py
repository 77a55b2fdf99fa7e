import asyncio

from cellwright import Agent, Policy, ScriptedModel, Session
from cellwright.person.approval import ScriptedApprover
from cellwright.runs.company import Company
from cellwright_widgets.chat.hosted_agent import HostedAgent


def hosted(agent, hosts, log=None):
    def host(run):
        hosts.append(run)
        return Company(ScriptedApprover([]))

    return HostedAgent(agent, host, log)


def test_its_runs_have_another_company_and_all_else_of_the_agent(tmp_path):
    agent, hosts = Agent(ScriptedModel(["Hi."]), "read_only", cwd=tmp_path, policy=Policy("plan")), []
    other = hosted(agent, hosts)
    run = asyncio.run(other.run("Hello."))
    assert (hosts, run.answer, run.mode) == ([run], "Hi.", "plan")
    assert (other.grants is agent.grants, other.registry is agent.registry) == (True, True)


def test_a_log_of_the_agents_own_comes_before_another(tmp_path):
    for own, written in ((tmp_path / "own.jsonl", "own.jsonl"), (None, "other.jsonl")):
        agent = Agent(ScriptedModel(["Hi."]), "read_only", cwd=tmp_path, log=own)
        asyncio.run(hosted(agent, [], tmp_path / "other.jsonl").run("Hello."))
        assert Session.load(tmp_path / written).last.answer == "Hi."
