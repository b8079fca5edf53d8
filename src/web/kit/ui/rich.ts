/** A text with elements is not among the components, so that only pages that show one load it. */
export { Rich } from './richNodes'
