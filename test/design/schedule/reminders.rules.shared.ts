/** Stages and hours, in the short form that the tables of reminders use. */
import { idOf } from './timeline.rules.sample'

export const hours = (...all: number[]) => all.map((hour) => ({ hour }))

export const a = idOf('a')
