import { StatementError, type KuzuSession } from "./session.ts";
import type { WorkerReply, WorkerRequest } from "./messages.ts";

/** Does what a request asks of a session. Never rejects. */
export async function answer(starting: Promise<KuzuSession>, request: WorkerRequest): Promise<WorkerReply> {
  const { id } = request;
  try {
    const session = await starting;
    switch (request.type) {
      case "create": session.create(request.statements); return { id, ok: true, value: null };
      case "load": session.load(request.load); return { id, ok: true, value: null };
      case "finish": return { id, ok: true, value: await session.finish() };
      case "open": await session.open(request.file, request.poolBytes); return { id, ok: true, value: null };
      case "query": return { id, ok: true, value: session.query(request.query, request.maxRows, request.timeoutMs) };
    }
  } catch (error) {
    if (error instanceof StatementError) {
      return { id, ok: false, kind: error.timedOut ? "timeout" : "statement", message: error.message };
    }
    // Emscripten throws what is no Error at all, too.
    return { id, ok: false, kind: "broken", message: error instanceof Error ? error.message : String(error) };
  }
}
