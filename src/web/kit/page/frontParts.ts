/** What the pages behind links have in common with the front pages of the app. */
export { LanguageMenu } from '../../participant/pages/appearance'
export { Mark } from './mark'
