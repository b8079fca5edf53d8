/** One file of texts of problems for each language, so that a device keeps one. */

export { de as listed } from '#texts/answers/de'
export { de as beside } from '#texts/answers/instructions/de'
