import type { AddressHost } from "../src/ui/address.ts";

/** A window with a history. */
export class FakeWindow implements AddressHost {
  private readonly entries = [{ state: null as unknown, url: "/" }];
  private at = 0;
  private listener: (() => void) | undefined;
  writes = 0;
  readonly location = ((self: FakeWindow) => ({
    get hash(): string { return new URL(self.entries[self.at]!.url, "http://x").hash; }, pathname: "/", search: "",
  }))(this);
  readonly history = ((self: FakeWindow) => ({
    get state(): unknown { return self.entries[self.at]!.state; },
    pushState: (state: unknown, _: string, url: string) => {
      self.writes++;
      self.entries.splice(++self.at, Infinity, { state, url });
    },
    replaceState: (state: unknown, _: string, url: string) => {
      self.writes++;
      self.entries[self.at] = { state, url };
    },
    back: () => self.move(-1),
  }))(this);
  move(steps: number): void {
    this.at += steps;
    this.listener?.();
  }
  addEventListener(_: string, listener: () => void): void { this.listener = listener; }
  removeEventListener(): void { this.listener = undefined; }
  get length(): number { return this.entries.length; }
}
