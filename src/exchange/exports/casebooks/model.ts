import type { Instant } from '#kernel/time'

/** What a casebook says, line by line: plain JSON, so that all of it can be read at one moment and be drawn later. */

/** A heading with a bookmark, a fact with its name, the name of a question, an answer, or small print. */
export type Line = { as: 'chapter' | 'fact' | 'name' | 'answer' | 'small'; text: string; name?: string }

/** `at`: the moment of its data, in microseconds. */
export type Casebook = { at: Instant; title: string; about: string; lines: Line[] }
