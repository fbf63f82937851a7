"""The peer of bench/serve: a chat server of FastAPI and LangGraph with the same two paths and the same model.

    peer.py MODEL_PORT     prints the port that it listens at, then serves until it is ended

A minimal agent: a graph of one node, one streaming call of the model, the conversation in memory. It searches nothing, checks
nothing and writes nothing to disk, so that its figures are those of the frameworks. One process, uvloop and httptools, as
uvicorn's documentation recommends; the pool of the model's connections is as large as the crowd.
"""
import json
import os
import socket
import sys
import uuid

for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
    os.environ[name] = "false"

import httpx
import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from pydantic import BaseModel

model = ChatOpenAI(model="scripted", base_url=f"http://127.0.0.1:{sys.argv[1]}/v1", api_key="none", streaming=True, max_retries=0, timeout=120,
                   http_async_client=httpx.AsyncClient(limits=httpx.Limits(max_connections=2000), timeout=120))


async def answer(state: MessagesState):
    return {"messages": [await model.ainvoke(state["messages"])]}


graph = StateGraph(MessagesState).add_node("answer", answer).add_edge(START, "answer").add_edge("answer", END).compile(
    checkpointer=InMemorySaver())
app = FastAPI()


class Prompt(BaseModel):
    message: str
    session_id: str | None = None


def run_of(prompt):
    chat = prompt.session_id or uuid.uuid4().hex
    return chat, {"messages": [("user", prompt.message)]}, {"configurable": {"thread_id": chat}}


@app.post("/chat/prompt")
async def whole(prompt: Prompt):
    chat, entry, config = run_of(prompt)
    state = await graph.ainvoke(entry, config)
    return {"chat_id": chat, "answer": state["messages"][-1].content}


@app.post("/chat/prompt/stream")
async def stream(prompt: Prompt):
    chat, entry, config = run_of(prompt)

    async def events():
        async for chunk, _ in graph.astream(entry, config, stream_mode="messages"):
            if chunk.content:
                yield f"event: token\ndata: {json.dumps({'text': chunk.content})}\n\n"
        yield f"event: complete\ndata: {json.dumps({'chat_id': chat})}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


if __name__ == "__main__":
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(4096)
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[listener])
