export { Page } from './tablet'
