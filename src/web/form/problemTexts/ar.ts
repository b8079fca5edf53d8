/** One file of texts of problems for each language, so that a device keeps one. */
export { ar as listed } from '#texts/answers/ar'
export { ar as beside } from '#texts/answers/instructions/ar'
