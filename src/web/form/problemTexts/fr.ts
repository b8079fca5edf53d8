/** One file of texts of problems for each language, so that a device keeps one. */

export { fr as listed } from '#texts/answers/fr'
export { fr as beside } from '#texts/answers/instructions/fr'
