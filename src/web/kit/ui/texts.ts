/** The translator of the components, for the frame of pages. */
export { useTranslator } from './translator'
