/** The tabs that this page opens since agents ask about folders that no page holds. */
import type { FolderOrder } from "../messages.ts";

/** How long a folder stays open that no agent asks about any more, in milliseconds: agents start their servers again. */
export const KEPT_FOR = 60_000;

export class Folders {
  /** The tabs' ids by that of the folder. */
  private readonly tabs = new Map<string, number>();
  private readonly closing = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly open: (folder: string) => number, private readonly close: (tab: number) => void) {}

  /** Opens what is to be opened, and closes after a while what nobody wants. Every link of the page is told the same folders. */
  follow(orders: readonly FolderOrder[]): void {
    const wanted = new Set(orders.map(({ id }) => id));
    for (const { id, open } of orders) {
      clearTimeout(this.closing.get(id));
      this.closing.delete(id);
      if (open && !this.tabs.has(id)) this.tabs.set(id, this.open(id));
    }
    for (const [id, tab] of this.tabs) {
      if (!wanted.has(id) && !this.closing.has(id)) this.closing.set(id, setTimeout(() => this.close(tab), KEPT_FOR));
    }
  }

  /** A tab is gone, whoever closed it. */
  closed(tab: number): void {
    for (const [id, of] of this.tabs) {
      if (of !== tab) continue;
      this.tabs.delete(id);
      clearTimeout(this.closing.get(id));
      this.closing.delete(id);
    }
  }
}
