/** Stages and hours, in the short form of the tables of reminders. */
import { idOf } from './timeline.rules.sample'

export const hours = (...all: number[]) => all.map((hour) => ({ hour }))

export const a = idOf('a')
