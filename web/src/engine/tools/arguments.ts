/**
 * Reads arguments. The server has validated them and put the defaults in; the defaults stand here again only for
 * calls that the page makes itself, and a wrong type is an error that names the field.
 */
import { ToolError } from "../tools.ts";

export type Arguments = Record<string, unknown>;

export function text(args: Arguments, key: string): string {
  const value = args[key];
  if (typeof value !== "string" || value.trim() === "") throw new ToolError(`The argument "${key}" must be a text that is not empty.`);
  return value;
}

export function optionalText(args: Arguments, key: string): string | undefined {
  return args[key] === undefined ? undefined : text(args, key);
}

export function texts(args: Arguments, key: string): string[] {
  const value = args[key];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) throw new ToolError(`The argument "${key}" must be a list of texts.`);
  return value;
}

export function number(args: Arguments, key: string, otherwise: number): number {
  const value = args[key] ?? otherwise;
  if (typeof value !== "number" || !Number.isFinite(value)) throw new ToolError(`The argument "${key}" must be a number.`);
  return value;
}

export function optionalNumber(args: Arguments, key: string): number | undefined {
  return args[key] === undefined ? undefined : number(args, key, 0);
}

export function flag(args: Arguments, key: string, otherwise: boolean): boolean {
  const value = args[key] ?? otherwise;
  if (typeof value !== "boolean") throw new ToolError(`The argument "${key}" must be true or false.`);
  return value;
}

export function oneOf<T extends string>(args: Arguments, key: string, values: readonly T[]): T {
  const value = text(args, key);
  const known = values.find((v) => v === value);
  if (known === undefined) throw new ToolError(`The argument "${key}" must be one of ${values.join(", ")}, not "${value}".`);
  return known;
}
