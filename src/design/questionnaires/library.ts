import type { Questionnaire } from './model'

/** The built-in questionnaires by id, in the order they are listed. Read when first asked for, so that starting is quick. */
export const library = async (): Promise<ReadonlyMap<string, Questionnaire>> => (await import('./list')).questionnaires
