/** A row of a table with the line of the text on which it ends, from 1. */
export type NumberedRow = { line: number; cells: string[] }
