/** Whether a form has patterns. The list of forms asks this, without the engine. */
import type { StageDetail } from './stage'

/** Whether a question, or a column of a table, has a pattern. */
export const hasPattern = ({ components }: Pick<StageDetail, 'components'>): boolean =>
  components.some(({ type }) => type && (type.pattern || type.columns?.some(({ pattern }) => pattern)))
