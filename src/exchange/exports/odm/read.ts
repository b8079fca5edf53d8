/** What ODM files are written with, read from the database. */
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { ExportContext } from '#exchange/exports/context'
import type { Edition } from './edition'
import { type AdminData, adminData } from './people'

/** Users and sites of an export. */
export const adminOf = ({ db, placeNames }: ExportContext, edition: Edition): AdminData =>
  adminData(
    edition,
    (user) => rowById(db, users, user),
    (site) => placeNames.get(site) ?? site,
  )

/** The language that the study is written in, as far as it is known. */
export const languageOf = (trial: Trial): string | undefined => settingsOf(trial).languages[0]
