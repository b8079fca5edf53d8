/** The matcher of patterns. Pages have another file in its place, which loads it when a form needs it (`#web/form/engine/matcher`). */
import { RE2JS } from 're2js'

/** A pattern that is compiled: `programSize` is the number of its steps for each character. */
export type Matcher = { matches(text: string): boolean; programSize(): number }

/** Compiles a pattern in the syntax of RE2. @throws if it is not valid */
export const matcherOf = (pattern: string): Matcher => RE2JS.compile(pattern)
