export { Page } from './page'
