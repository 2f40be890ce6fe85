import { bootstrapOfRender, statusOfRender } from "@/components/gateway/reads";
import { readPreferences, serverMessages } from "@/components/i18n/server";
import { statusFeed } from "@/components/models/status-feed";

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
