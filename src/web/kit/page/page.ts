/** The frame of pages, for the front ends. */
export { Frame } from './frame'
export { Heading } from './heading'
export { GLOBE, LanguageMenu } from './languageMenu'
export { firstTranslator, Localised } from './localised'
export { Mark } from './mark'
