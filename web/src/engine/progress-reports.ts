import type { Report } from "./calls.ts";
import type { Progress } from "./pipeline.ts";

/** A call that waits hears of one phase this often at most, in milliseconds. */
const REPORT_EVERY = 250;

/** Tells calls that wait how far the work is for which they wait. */
export class ProgressReports {
  private readonly waiting = new Set<(progress: Progress) => void>();

  /** The work goes on. */
  tell(progress: Progress): void {
    for (const hear of this.waiting) hear(progress);
  }

  /** Tells `report` of it until `work` ends: at once where it is known how far it is, and whenever it goes on. */
  async during<T>(report: Report | undefined, work: Promise<T>, progress?: Progress): Promise<T> {
    if (!report) return work;
    let phase: string | undefined;
    let told = 0;
    const hear = (now: Progress): void => {
      const at = performance.now();
      if (now.phase === phase && at - told < REPORT_EVERY) return;
      phase = now.phase;
      told = at;
      report(now.done, now.total, howFar(now));
    };
    this.waiting.add(hear);
    if (progress) hear(progress);
    try {
      return await work;
    } finally {
      this.waiting.delete(hear);
    }
  }
}

/** In words, without the time. */
export function howFar({ phase, done, total }: Progress): string {
  const of = total > 0 ? `${done} of ${total}` : String(done);
  switch (phase) {
    case "read": return `reading, ${of} files`;
    case "parse": return `parsing, ${of} files`;
    case "resolve": return "joining calls and imports to their declarations";
    case "cluster": return "finding clusters and processes";
    case "search": return "building the search index";
    case "database": return "filling the graph database";
  }
}
