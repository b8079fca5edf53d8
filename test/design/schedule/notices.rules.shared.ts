/** Stages and hours, in the short form that the tables of notices use. */
import { idOf } from './timeline.rules.sample'

export const a = idOf('a')

export const hours = (...all: number[]) => all.map((hour) => ({ hour }))
