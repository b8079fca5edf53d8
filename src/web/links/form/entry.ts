/** The pages with forms behind links. */
export { StagePage } from './stagePage'
