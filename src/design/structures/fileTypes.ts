import type { Source } from './model'

/** The extension and MIME type of each format's files. */
export const fileTypes: Record<Source, { extension: string; type: string }> = {
  redcap: { extension: 'csv', type: 'text/csv; charset=utf-8' },
  xlsform: { extension: 'xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  odm: { extension: 'xml', type: 'application/xml; charset=utf-8' },
}
