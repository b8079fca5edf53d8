import type { Id } from '#kernel/id'
import type { Access } from './caller'

/** An act in a trial, as far as timelines go: the trial as it was before, and the account that acted, if one did. */
export type ActInTrial = { trial: { _id: Id; revision: number }; user?: Id; access?: Access }
