/** One file of texts of problems for each language, so that a device keeps one. */

export { answerTexts as listed } from '#texts/answers/en'
export { instructionTexts as beside } from '#texts/answers/instructions/en'
