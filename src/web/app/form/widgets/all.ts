/** The widgets of all formats. */
export { isGroup, Widget } from './widgets'
