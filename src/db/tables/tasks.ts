import { bool, integer, json, key, moment, oneOf, table, text } from './columns'

export const taskLanes = table('taskLanes', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  index: integer().notNull(),
  name: text().notNull(),
  description: text(),
  isCompleteLane: bool().notNull(),
}))

export const tasks = table('tasks', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  /** Null if a submission caused it. */
  createdBy: text(),
  completedAt: moment(),
  trial: text().notNull(),
  taskLane: text().notNull(),
  index: integer().notNull(),
  title: text().notNull(),
  description: text(),
  status: oneOf('pending', 'completed').notNull(),
  assignees: json<string[]>().notNull(),
  dueDate: moment(),
  participant: text(),
  scored: json<string[]>().notNull().default([]),
}))
