/** Queries about a field or a form: for the areas that show some. */
export { FieldQueries } from './fieldQueries'
export { QueryPill, QueryThread } from './thread'
