/** The file of settings in a data directory (docs/running.md, "Settings"): `name = value` a line. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fault } from '#kernel/fault'
import { nearest } from '#kernel/nearest'
import type { Environment } from './options'

export const SETTINGS_FILE = 'trialbox.conf'

/** The environment variable of a setting: `public-url` is `TRIALBOX_PUBLIC_URL`. */
const variableOf = (name: string): string => `TRIALBOX_${name.toUpperCase().replaceAll('-', '_')}`
const nameOf = (variable: string): string => variable.slice('TRIALBOX_'.length).toLowerCase().replaceAll('_', '-')

const suggestionText = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known)
  return near === undefined ? '' : `; did you mean ${near}?`
}

/**
 * The settings in the file of a data directory, by their environment variables; none if there is no file.
 * @param known the environment variables that Trialbox reads
 * @throws a fault that names the line for one that is not a setting, unknown or given twice
 */
export function settingsIn(directory: string, known: readonly string[]): Environment {
  const path = join(directory, SETTINGS_FILE)
  if (!existsSync(path)) return {}
  const settings: Record<string, string> = {}
  const lines = textOf(path)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const text = line.trim()
    if (!text || text.startsWith('#')) continue
    const where = `${path}, line ${at + 1}`
    const [, name, value] = /^([a-z][a-z0-9-]*)\s*=\s*(.*)$/.exec(text) ?? []
    if (name === undefined || !value) throw fault(`${where}: a setting is written as \`port = 8443\`.`)
    const variable = variableOf(name)
    if (name === 'data') throw fault(`${where}: data cannot be set here, since this file is in the data directory.`)
    if (!known.includes(variable))
      throw fault(`${where}: there is no setting ${name}${suggestionText(name, known.map(nameOf)) || '.'}`)
    if (settings[variable] !== undefined) throw fault(`${where}: ${name} is given twice.`)
    settings[variable] = value
  }
  return settings
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fault(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** @throws a fault for a variable that begins with `TRIALBOX_` and that Trialbox does not read: it is probably misspelt */
export function refuseUnknown(env: Environment, known: readonly string[]): void {
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith('TRIALBOX_') || !value || known.includes(variable)) continue
    throw fault(
      `There is no environment variable ${variable}${suggestionText(variable, known) || ': `trialbox serve --help` lists them.'}`,
    )
  }
}
