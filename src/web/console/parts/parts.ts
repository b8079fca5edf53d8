/** The parts that areas share. */
export { type FormState, formStates, Glyph, StateText } from './glyph'
export { Icon, type IconName } from './icon'
export { Inspector } from './inspector'
export { Mark, type MarkName } from './mark'
export { Band, Failure, LockBand, PageHead } from './page'
export { Popover } from './popover'
