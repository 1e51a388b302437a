import { reduce, type Action, type AppState } from "./state.ts";

/** Holds the state; tells its listeners after each action that changed it. */
export class Store {
  private current: AppState;
  private readonly listeners = new Set<() => void>();

  constructor(initial: AppState) {
    this.current = initial;
  }

  get state(): AppState {
    return this.current;
  }

  dispatch(action: Action): void {
    const next = reduce(this.current, action);
    if (next === this.current) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener();
  }

  /** Returns what ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
