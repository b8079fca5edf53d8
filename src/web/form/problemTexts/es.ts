/** One file of texts of problems for each language, so that a device keeps one. */

export { es as listed } from '#texts/answers/es'
export { es as beside } from '#texts/answers/instructions/es'
