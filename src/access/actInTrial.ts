import type { Id } from '#kernel/id'
import type { Access } from './caller'

/** An act in a trial, for the recalculation of timelines: the trial before the act, and the account that acted, if any. */
export type ActInTrial = { trial: { _id: Id; revision: number; progressRevision: number }; user?: Id; access?: Access }
