CREATE INDEX "node_rollups_by_time" ON "node_rollups" USING btree ("bucket");
