import type { Questionnaire } from './model'

/** The built-in questionnaires by id, in the order of the list. Loaded on first use, so that the server starts quickly. */
export const loadQuestionnaires = async (): Promise<ReadonlyMap<string, Questionnaire>> =>
  (await import('./questionnaires')).questionnaires
