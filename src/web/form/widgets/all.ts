/** The widgets of all formats. */
export { Widget } from './widgets'
