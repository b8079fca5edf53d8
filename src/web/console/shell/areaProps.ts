/** What the address says in place of the names in the pattern of an area. */
export type AreaProps = { params: Readonly<Record<string, string>> }
