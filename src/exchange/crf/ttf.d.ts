/** Fonts that are embedded in the executable; the import is the path of the file. */
declare module '*.ttf' {
  const path: string
  export default path
}
