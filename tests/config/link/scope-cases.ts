import { agent, type ProblemCase } from '../problem-cases.ts';

const LAB = { 'settings.yaml': 'roots: { lab: ./lab }\n' };
const MISSING = 'settings.yaml:1:15 CONFIG_ROOT_MISSING';

/** Scopes and the notebooks of the settings. The folder of a notebook is missing in each. */
export const SCOPES: readonly ProblemCase[] = [
  {
    name: 'a notebook that does not exist',
    files: LAB,
    found: [MISSING],
    says: 'there is no folder "./lab", so the tools open nothing there create the folder, or correct the path',
  },
  {
    name: 'a notebook that contains the config folder',
    files: { 'settings.yaml': 'roots: { lab: . }\n' },
    found: ['settings.yaml:1:15 CONFIG_ROOT'],
    says: 'contains the config folder',
  },
  {
    name: 'a scope with a notebook whose folder is refused',
    files: {
      'settings.yaml': 'roots: { lab: . }\n',
      ...agent('tools: [notebook]\nscope: { notebooks: [lab] }\n'),
    },
    found: ['settings.yaml:1:15 CONFIG_ROOT'],
  },
  {
    name: 'a notebook in the data folder',
    files: { 'settings.yaml': 'roots: { lab: ./data/files }\n' },
    found: ['settings.yaml:1:15 CONFIG_ROOT'],
    says: 'lies in the data folder',
  },
  {
    name: 'a name of a notebook with a space',
    files: { 'settings.yaml': 'roots: { my lab: ./lab }\n' },
    found: ['settings.yaml:1:10 CONFIG_VALUE'],
  },
  {
    name: 'an agent with a whole scope',
    files: {
      ...LAB,
      ...agent(
        'tools: [notebook]\nscope:\n  notebooks: [lab]\n  folders: [/experiments/*, /notes]\n  fileTypes: ["*.md"]\n  operations: [read, write, create, delete]\n',
      ),
    },
    found: [MISSING],
  },
  {
    name: 'a scope with a notebook that the settings do not have',
    files: { ...LAB, ...agent('tools: [notebook]\nscope: { notebooks: [lab, hut] }\n') },
    found: ['agents/reader.yaml:3:27 CONFIG_UNKNOWN_NOTEBOOK', MISSING],
    says: 'there is no notebook "hut"',
  },
  {
    name: 'a scope without a tool that uses it',
    files: { ...LAB, ...agent('scope: { notebooks: [lab] }\n') },
    found: ['agents/reader.yaml:2:8 CONFIG_SCOPE_UNUSED', MISSING],
    says: 'add notebook to tools',
  },
  {
    name: 'a notebook tool without a scope',
    files: agent('tools: [workspace, notebook]\n'),
    found: ['agents/reader.yaml:2:20 CONFIG_SCOPE_UNUSED'],
    says: 'without a scope, "notebook" is not offered',
  },
  {
    name: 'an operation that does not exist',
    files: agent('tools: [notebook]\nscope: { notebooks: ["*"], operations: [execute] }\n'),
    found: ['agents/reader.yaml:3:41 CONFIG_VALUE'],
  },
  {
    name: 'a folder pattern that excludes',
    files: agent('tools: [notebook]\nscope: { notebooks: ["*"], folders: ["/a", "!/a/private"] }\n'),
    found: ['agents/reader.yaml:3:44 CONFIG_VALUE'],
    says: 'without !',
  },
  {
    name: 'a file type with a folder',
    files: agent('tools: [notebook]\nscope: { notebooks: ["*"], fileTypes: ["notes/*.md"] }\n'),
    found: ['agents/reader.yaml:3:40 CONFIG_VALUE'],
  },
  {
    name: 'a scope in the spelling of the seed',
    files: agent('tools: [notebook]\nscope: { notebooks: ["*"], file_types: ["*.md"] }\n'),
    found: ['agents/reader.yaml:3:28 CONFIG_UNKNOWN_KEY'],
    says: 'fileTypes',
  },
];
