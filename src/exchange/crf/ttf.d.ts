/** Fonts that are embedded in the executable: a path to read them from. */
declare module '*.ttf' {
  const path: string
  export default path
}
