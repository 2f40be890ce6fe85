import { statusFeed } from "@/components/models/status-feed";
import { serverMessages } from "@/components/server/messages";
import { readPreferences } from "@/components/server/preferences";
import { bootstrapOfRender, statusOfRender } from "@/components/server/reads";

/** GET /status/feed: public announcements and the incidents of 90 days as Atom; 404 while the status page is off. */
export async function GET(): Promise<Response> {
  const status = await statusOfRender("90d");
  if (status === null) return new Response(null, { status: 404 });
  const [{ publicUrl, name }, { locale }] = await Promise.all([bootstrapOfRender(), readPreferences()]);
  const [site, models] = await Promise.all([serverMessages("site"), serverMessages("models")]);
  const feed = statusFeed(status, {
    publicUrl,
    locale,
    author: name,
    title: `${name}: ${site.status.title}`,
    states: models.uptime.states,
  });
  return new Response(feed, { headers: { "content-type": "application/atom+xml; charset=utf-8" } });
}
