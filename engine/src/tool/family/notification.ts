import type { Notifications } from '../../notification/open-notifications.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { ToolFamily } from '../tool-family.ts';
import type { WorldTool } from '../tool.ts';

/** The tool that notifies the user at once: in the viewer, and by the channels of the settings. */
export const notificationFamily: ToolFamily = {
  name: 'notification',
  tools: ({ notifications }) => [notifyTool(notifications)],
};

function notifyTool(notifications: () => Notifications): WorldTool {
  return defineTool({
    name: 'notify',
    trust: 'trusted',
    family: 'notification',
    reach: 'outward',
    effects: 'write',
    repeat: 'key',
    description:
      'Notifies the user now: in the viewer, through the browser, and by webhook and mail where the settings have them.',
    parameters: parameters(
      {
        title: { type: 'string', minLength: 1, maxLength: 200, description: 'One line that says what happened.' },
        text: { type: 'string', maxLength: 4000, description: 'More, as plain text.' },
      },
      ['title'],
    ),
    async run({ title, text = '' }, { caller, key, signal }) {
      const { email } = caller.origin;
      const notification = {
        ...{ kind: 'message' as const, title: title.replace(/\s+/g, ' ').trim(), text, runId: caller.runId },
        ...(email !== undefined && { emailId: email.id }),
      };
      const { id, at } = await notifications().notify(notification, { key, signal });
      return { notified: true, id, at };
    },
  });
}
