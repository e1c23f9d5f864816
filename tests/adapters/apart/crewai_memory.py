"""Run by test_apart.py where CrewAI is installed: a crew with a model of our own and a book."""

import sys
from pathlib import Path

from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM

from commonplace import Commonplace, Settings
from commonplace.adapters.crewai import CommonplaceMemory

SEEN = []
ANSWERS = [
    'Thought: look\nAction: save_to_memory\nAction Input: {"contents": ["Ada bought a night train ticket"]}',
    "Thought: I now can give a great answer\nFinal Answer: By train. I moved the trip to Friday.",
]


class ScriptedLLM(BaseLLM):
    def call(self, messages, tools=None, callbacks=None, available_functions=None, **options):
        SEEN.append(str(messages))
        return ANSWERS[min(len(SEEN), len(ANSWERS)) - 1]

    def supports_function_calling(self):
        return False


def main(home: Path) -> None:
    with Commonplace.open(settings=Settings(home=home)) as book:
        memory = CommonplaceMemory.over(book)
        kept = memory.remember("Ada prefers <b>trains</b> to planes", scope="/travel/ada", categories=["travel"])
        agent = Agent(role="planner", goal="plan", backstory="plans", llm=ScriptedLLM(model="scripted"))
        task = Task(description="How should Ada travel by trains?", expected_output="an answer", agent=agent)
        crew = Crew(agents=[agent], tasks=[task], memory=memory)
        assert "By train." in crew.kickoff().raw
        assert "trains" in SEEN[0] and "<b>" not in SEEN[0], "what is known is in the first prompt"
        saved = book.recall("night train ticket", kinds=["associative"])[0].memory
        assert (saved.text, saved.status) == ("Ada bought a night train ticket", "candidate")
        episodes = [episode.text for episode in book.browse(kinds=["episodic"])]
        assert any("Result: " in text and "By train." in text for text in episodes), "the result is learned from"

        memory.remember("Eve sails", scope="/travel/eve", importance=0.9, source="eve", private=True)
        memory.remember("Lunch is at noon", scope="/office", metadata={"floor": 2})
        assert [match.record.id for match in memory.recall("trains", scope="/travel/ada", limit=1)] == [kept.id]
        found = memory.recall("who sails?", scope="/travel")
        assert "Eve sails" not in [match.record.content for match in found], "private"
        found = memory.recall("who sails?", scope="/travel", source="eve")
        assert found[0].record.content == "Eve sails" and found[0].record.importance == 0.9 and 0 < found[0].score <= 1
        assert memory.list_scopes("/") == ["/office", "/travel"] and memory.list_scopes("/travel") == [
            "/travel/ada",
            "/travel/eve",
        ]
        assert memory.info("/travel").record_count == 2 and memory.list_categories("/travel") == {"travel": 1}
        assert memory.list_records("/office")[0].metadata == {"floor": 2}
        assert memory.update(kept.id, content="Ada prefers night trains").content == "Ada prefers night trains"
        assert memory.scope("/travel").recall("night trains")[0].record.id == kept.id
        assert memory.forget(metadata_filter={"floor": 2}) == 1 and memory.list_scopes("/") == ["/travel"]
        memory.reset(scope="/travel")
        assert memory.list_records("/travel") == []
        assert CommonplaceMemory.over(book, read_only=True).remember("No") is None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
