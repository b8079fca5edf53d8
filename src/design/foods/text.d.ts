/** The table that is embedded in the executable, as its text. */
declare module '*.tsv' {
  const text: string
  export default text
}
