import { wordAfter, wordOf } from "../words.ts";

/*
 * What the code of one file asks of another, each as a number: of a file what a name means in it, of a class what is found by a name
 * in it and above. The same as long as file and class are called so, whatever else is in the file.
 */

/** Of a file: what it hands on of others, for who looks for a name that it does not bind. */
export const STARS = " stars";
/** Of a file: whether it says what it hands on itself. */
export const OPEN = " open";
/** Of a class: what is above it, for what stands below. */
export const ORDER = " order";
/** Of a class: what is above it, for who looks behind another one there. */
export const BEHIND = " behind";
/** Of a class: its type variables. */
export const VARS = " vars";
/** Of a class: what stands for what none of the repository's classes above it has. */
export const OUTSIDE = " outside";
/** Of a class: whose metaclass it has. */
export const META = " meta";
/** Of a class: which members it has, and what is above and below it. */
export const MEMBERS = " members";
/** Of a class: what derives from it. */
export const HEIRS = " heirs";
/** Of a class: its fields, in order. */
export const FIELDS = " fields";
/** Of a class: whether it is an enumeration. */
export const ENUM = " enum";

/** Of a class: whether another is above it, by its number, or by its name where it is from elsewhere. */
export const below = (other: number | string): string => ` below ${other}`;
/** Of a class: what takes the place of its method in those below. */
export const overriding = (name: string): string => ` over ${name}`;
/** Of a class: which constructor making an instance runs, which nothing but calls depends on. */
export const running = (name: string): string => ` runs ${name}`;
/** What relations of other models give a record by a name; by "", whether there are any. */
export const related = (name: string): number => wordOf(` related ${name}`);
/** The classes of a name that have a base. */
export const model = (name: string): number => wordOf(` model ${name}`);
/** The only method of a name, or that there is none. */
export const only = (name: string): number => wordOf(` only ${name}`);

export const ofFile = (path: string): number => wordOf(`${path}#`);
export const ofFolder = (path: string): number => wordOf(`${path}/#`);
export const ofClass = (file: number, name: string): number => wordAfter(file, `${name}.`);
