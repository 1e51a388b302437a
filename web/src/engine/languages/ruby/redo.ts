import type { Checker, Passed } from "./checker.ts";
import type { Offset } from "./facts.ts";
import { HIERARCHY, type Node } from "./numbers.ts";
import type { Source } from "./program.ts";
import { knownPassedBy, type Resolver } from "./resolve.ts";
import type { Circle } from "./trace.ts";

/** A part that comes to circles too early is redone with these so often before all is. */
const MAX_TIMES = 8;
/** Answers that others make others are followed over so many steps one by one. */
const MAX_WAVES = 200;

/** What calls in files pass to methods. */
export type PassedBy = Map<Source, Passed>;

/**
 * Asks again, in one round, what may be answered otherwise now. Where an answer lies on no circle it does not matter who asks first: such
 * questions are asked one by one, and only where the answer is another one, those that have asked them. What lies on circles, and what may lead
 * there otherwise than before, is forgotten, with all that rests on it, and asked again file by file, in their order.
 */
export class Redo {
  /** Files with a use that is answered otherwise, or may be. */
  touched: ReadonlySet<Source> = new Set();
  private readonly checker: Checker;
  /** What is answered otherwise. */
  private readonly others = new Set<Node>();
  /** What has to be asked in the order of files. */
  private readonly late = new Set<Node>();
  private readonly places = new Map<Source, Map<number, number>>();

  /** `changed` are the files of the edit, `before` is what those and others that are redone have passed until now. */
  constructor(private readonly resolver: Resolver, private readonly round: number, private readonly changed: ReadonlySet<Source>, private readonly before: PassedBy) {
    this.checker = resolver.checkers[round]!;
  }

  /** Returns whether it could be done in part. */
  run(stale: Iterable<Node>): boolean {
    return this.apart(stale) && this.inOrder();
  }

  /** What lies on no circle. */
  private apart(stale: Iterable<Node>): boolean {
    const { trace } = this.checker;
    const { size } = trace;
    const onCircles = trace.onCircles();
    const asked = new Set<Node>();
    /** What rests on circles: as long as it asks the same, who leads to them first is the same. */
    const behind = new Set<Node>();
    let wave = new Set(stale);
    for (let times = 0; wave.size > 0; times++) {
      const next = new Set<Node>();
      const circles = new Set<Circle>();
      // What was asked first is likely to rest on what was asked after it.
      for (const node of [...wave].sort((a, b) => b - a)) {
        if (node === HIERARCHY) return false;
        const late = trace.isLate(node);
        const circle = onCircles.get(node);
        if (circle) {
          circles.add(circle);
          continue;
        }
        if (times >= MAX_WAVES || (late && (asked.has(node) || !this.placeOf(node)))) {
          this.late.add(node);
          continue;
        }
        asked.add(node);
        if (late) behind.add(node);
        const other = this.again(node);
        if (!late && trace.isLate(node)) this.late.add(node);
        else if (other) this.others.add(node);
        if (other) for (const asker of trace.askers(node)) next.add(asker);
      }
      for (const circle of circles) this.around(circle, asked, behind, next);
      wave = next;
    }
    const { more, less } = trace.revise(asked, size);
    for (const node of behind) if (more.has(node) || less.has(node)) this.late.add(node);
    // A new circle: its questions have to be asked in their order.
    if (trace.leadsBack(more)) for (const node of more) this.late.add(node);
    return true;
  }

  /** A circle: where the same lead to it still, and it is the same, its questions are asked in the order that they had. */
  private around(circle: Circle, asked: Set<Node>, behind: Set<Node>, next: Set<Node>): void {
    const { checker, before } = this;
    const { members } = circle;
    const files = members.map((node) => this.placeOf(node)?.source);
    const head = this.placeOf(members[0]!);
    if (members.some((node) => this.late.has(node))) return;
    if (!head || members.some((node, i) => asked.has(node) || (!files[i] && this.resolver.numbers.fileOf(node) >= 0))) {
      for (const node of members) this.late.add(node);
      return;
    }
    for (const source of files) if (source && !before.has(source)) before.set(source, knownPassedBy(source, checker));
    const were = members.map((node) => checker.known(node));
    for (const node of members) {
      asked.add(node);
      behind.add(node);
    }
    checker.forget(members);
    const same = checker.trace.again(circle, () => {
      if (members[0]! % 2 === 0) checker.operand(head.source, head.at);
      else checker.dispatch.resolution(head.source, head.at);
    });
    if (!same) {
      for (const node of members) this.late.add(node);
      return;
    }
    for (const [i, node] of members.entries()) {
      if (!checker.differs(node, were[i])) continue;
      this.others.add(node);
      for (const asker of checker.trace.askers(node)) if (!members.includes(asker)) next.add(asker);
    }
  }

  private placeOf(node: Node): { source: Source; at: Offset } | undefined {
    const { resolver: { numbers }, places } = this;
    const source = numbers.sourceOf(node);
    if (!source) return undefined;
    let numbered = places.get(source);
    if (!numbered) places.set(source, (numbered = numbers.placesIn(source)));
    const at = numbered.get(node >> 1);
    return at === undefined ? undefined : { source, at };
  }

  /** Whether a question is answered otherwise now, or may be: only what records are is compared. */
  private again(node: Node): boolean {
    const { checker, before } = this;
    const place = this.placeOf(node);
    if (!place) {
      checker.forget([node]);
      return true;
    }
    const { source, at } = place;
    checker.trace.time = source.index + 1;
    return checker.again(node, source, at, () => {
      if (!before.has(source)) before.set(source, knownPassedBy(source, checker));
    });
  }

  /** What rests on circles, and whatever the changed files ask now. */
  private inOrder(): boolean {
    const { resolver, checker, round, before } = this;
    const { trace } = checker;
    const found = new Set<Node>();
    let more: Iterable<Node> = this.late;
    for (let times = 0; times < MAX_TIMES; times++) {
      trace.dependents(more, found);
      if (found.has(HIERARCHY)) return false;
      const { size } = trace;
      this.touched = this.usersOf(found);
      for (const source of this.touched) if (!before.has(source)) before.set(source, knownPassedBy(source, checker));
      checker.forget(found);
      trace.forget(found);
      for (const source of this.touched) resolver.ask(round, source);
      const { redone, early } = trace.settle();
      trace.revise(found, size);
      if (trace.cut) return false;
      if (early.length === 0) return true;
      more = [...redone, ...early];
    }
    return false;
  }

  /** The changed files and those with a use among these, or one that is answered otherwise, in their order. */
  private usersOf(nodes: ReadonlySet<Node>): Set<Source> {
    const { resolver: { program: { sources }, numbers }, others } = this;
    const files = new Set<Source | undefined>();
    for (const node of nodes) files.add(numbers.sourceOf(node));
    for (const node of others) files.add(numbers.sourceOf(node));
    return new Set(sources.filter((source) => (
      this.changed.has(source) || (files.has(source) && numbers.usesOf(source).some((node) => nodes.has(node) || others.has(node)))
    )));
  }
}
