import { resolve } from 'node:path'
import type { Environment, Flags, Option } from './options'

export const dataOption: Option = {
  flag: 'data',
  takes: 'directory',
  summary: 'where everything is kept',
  env: 'TRIALBOX_DATA',
  otherwise: './trialbox-data',
}

export const backupToOption: Option = {
  flag: 'backup-to',
  takes: 'keys',
  summary: 'public keys of age (age1…) for which `trialbox backup` encrypts archives, with commas between',
  env: 'TRIALBOX_BACKUP_TO',
  otherwise: 'archives are not encrypted',
}

/** The data directory that flags or the environment name, an absolute path. */
export const dataFolder = (flags: Flags, environment: Environment): string =>
  resolve(`${flags.data ?? (environment.TRIALBOX_DATA || 'trialbox-data')}`)
